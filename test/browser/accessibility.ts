import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * The rules of accessibility that the shown document violates. Further documents of the page get axe when they begin, so that
 * the browser compiles it once: loading it into each takes most of the time of a check.
 */
export async function violationsOn(page: Page): Promise<axe.Result[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) {
    await page.addInitScript({ content: axe.source });
    await page.evaluate(axe.source);
  }
  // Of the results, those of the rules that hold are by far the most, and stay in the browser.
  return page.evaluate<axe.Result[]>('axe.run(document).then(({ violations }) => violations)');
}
