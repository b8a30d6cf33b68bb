export { bearerHeader } from '../merchant/bearer.ts';
