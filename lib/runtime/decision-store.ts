import { dynamoAdjustments } from '../store/adjustments.ts';
import { dynamoDecisions, dynamoProposals } from '../store/decisions.ts';
import { table } from './store.ts';
import { system } from './system.ts';

// Not beside the other stores: these bring the table of letters that look alike, which no bundle can leave out.
export const adjustments = () => dynamoAdjustments(table());
export const decisions = () => dynamoDecisions(table(), system.now);
export const proposals = () => dynamoProposals(table());
