import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** Part of a page that axe checks, as CSS selectors, and rules that differ from axe's defaults. */
interface Checked {
  include?: string;
  exclude?: string;
  rules?: RunOptions['rules'];
  /** Checks these rules only. */
  only?: string[];
}

/**
 * Returns what axe finds in the current state of a page: for each violated rule its id and the HTML of the
 * elements. Runs axe in the page; @axe-core/playwright also opens an empty page for each check, for frames of
 * other sites.
 */
export async function violationsOf(
  page: Page,
  { include, exclude, rules, only }: Checked = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await page.evaluate(settle);
  const { violations } = await page.evaluate(
    ([context, options]) => (window as unknown as { axe: typeof axe }).axe.run(context, options),
    [
      { ...(include ? { include: [include] } : {}), exclude: exclude ? [exclude] : [] },
      { ...(rules ? { rules } : {}), ...(only ? { runOnly: only } : {}), resultTypes: ['violations'] },
    ] as [{ include?: string[]; exclude: string[] }, RunOptions],
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Waits for the end of transitions, during which colours have too little contrast. Runs in the page. */
async function settle(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => {})));
}
