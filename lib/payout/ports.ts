export type { PayoutRail, RailLimits, RailView } from './rail.ts';
