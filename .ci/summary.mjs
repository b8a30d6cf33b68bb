// Usage: summary.mjs <vitest's JSON report> <exit code of the tests> <exit code of the checks>
import { existsSync, readFileSync } from 'node:fs';

const [report, tests, check] = process.argv.slice(2);
const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
const passed = counts.numPassedTests ?? 0;
const counted = counts.numFailedTests ?? 0;

// A run may fail without a failed test: a file that does not load, an error outside of all tests.
const failed = (tests === '0' ? counted : Math.max(counted, 1)) + (check === '0' ? 0 : 1);
if (check !== '0') console.log('npm run check failed: see above.');
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
