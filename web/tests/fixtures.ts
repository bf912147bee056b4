// What tests share: two servers, a page on which nothing may go wrong, and how to read numbers off it.
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { hardModels } from './hard';
import { examples, models, Served } from './program';
import { join } from 'node:path';

export interface Servers {
  /** Tennis, with its rows, and mails; they may learn. */
  small: string;
  /** Three Gaussians, each column alone and all together, with rows, and the lab test; they may not. */
  three: string;
  /** Lines of text, with their rows. */
  texts: string;
  /** What is hard to draw: many classes, many columns with long names, dates, pairs, a logistic model. */
  hard: string;
  path: (name: string) => string;
}

export const test = base.extend<{ quiet: void }, { servers: Servers }>({
  servers: [
    async ({}, use) => {
      const made = models();
      const small = await Served.start(made.path('tennis.credence'), made.path('mails.credence'), '--data', join(examples, 'tennis.csv'), '--learn');
      const three = await Served.start(made.path('three.credence'), made.path('together.credence'), join(examples, 'lab_test.json'), '--data', made.path('three.csv'));
      const texts = await Served.start(made.path('texts.credence'), '--data', made.path('texts.csv'));
      const hard = await Served.start(...hardModels(made.path), '--data', made.path('letters.csv'));
      await use({ small: small.url, three: three.url, texts: texts.url, hard: hard.url, path: made.path });
      await Promise.all([small, three, texts, hard].map((server) => server.stop()));
      made.remove();
    },
    { scope: 'worker' },
  ],
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
      page.on('pageerror', (error) => said.push(error.message));
      await use();
      expect(said, 'nothing on the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The address of a view of a model. */
export function at(server: string, view: string, params: Record<string, string | object> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return `${server}/${view}?${search.toString()}`;
}

/** The numbers behind bars, by class, in full. */
export function bars(where: Page | Locator, label: string): Promise<Record<string, number>> {
  return where.getByRole('list', { name: label, exact: true }).locator('[data-class]').evaluateAll((items) =>
    Object.fromEntries(items.map((item) => [item.getAttribute('data-class') ?? '', Number(item.getAttribute('data-value'))])),
  );
}

/** Waits until bars show these numbers. */
export async function expectBars(where: Page | Locator, label: string, expected: Record<string, number>, digits = 9): Promise<void> {
  const rounded = (values: Record<string, number>): Record<string, string> => Object.fromEntries(Object.entries(values).map(([name, p]) => [name, p.toFixed(digits)]));
  await expect.poll(async () => rounded(await bars(where, label))).toEqual(rounded(expected));
}
