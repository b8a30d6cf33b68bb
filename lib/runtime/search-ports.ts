import type { SearchPorts } from '../search/search.ts';
import { keyedListings, listHistory, listings } from './stores.ts';
import { system, timeZone } from './system.ts';

/** For functions that search. */
export const searchPorts = (): SearchPorts => ({
  listings: listings(),
  keyedListings: keyedListings(),
  listHistory: listHistory(),
  now: system.now,
  timeZone: timeZone(),
});
