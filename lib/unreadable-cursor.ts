import { Defect } from './defect.ts';

/** The defect of a cursor that no audit has given out. */
export const unreadableCursor = (cause?: unknown): Defect =>
  new Defect('AUDIT_CURSOR_UNREADABLE', 'The cursor of an audit cannot be read', { cause });
