// The interactive report: one file, no server; its numbers are computed in the page from tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import type { ReportData } from '../src/lib/local';
import type { ColumnAnswer, Home, ModelAnswer } from '../src/lib/types';
import { expect, expectBars, test } from './fixtures';
import { probabilities, runJson } from './program';

const get = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T;

/** Writes a report of a model and gives its address. */
async function report(server: string, model: string, file: string): Promise<string> {
  const home = await get<Home>(`${server}/v1`);
  const shown = await get<ModelAnswer>(`${server}/v1/models/${model}`);
  const columns: Record<string, ColumnAnswer> = {};
  for (const { name } of shown.schema.columns) columns[name] = await get<ColumnAnswer>(`${server}/v1/models/${model}/column/${name}?points=401`);
  const data: ReportData = {
    format: 1,
    home: { ...home, learn: false, models: home.models.filter((m) => m.name === model).map((m) => ({ ...m, learn: false, data: false })) },
    model: shown,
    columns,
  };
  const page = readFileSync(new URL('../dist/report.html', import.meta.url), 'utf8');
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  writeFileSync(file, page.replace('id="data"></script>', () => `id="data">${json}</script>`));
  return pathToFileURL(file).href;
}

test('a report of words computes posterior and log-odds in the page', async ({ page, servers }) => {
  const address = await report(servers.small, 'tennis', servers.path('tennis.html'));
  const model = servers.path('before.credence');
  await page.goto(address);
  await page.getByRole('link', { name: 'Ask', exact: true }).click();
  const form = page.getByRole('region', { name: 'the row' });
  await form.getByLabel('Outlook').selectOption('Sunny');
  await form.getByLabel('Wind').selectOption('Strong');
  await expectBars(page, 'posterior probabilities', probabilities(model, 'Outlook=Sunny,Wind=Strong'));
  const odds = runJson<{ log_odds: number }[]>('explain', model, '--given', 'Outlook=Sunny,Wind=Strong')[0]?.log_odds ?? NaN;
  expect(Number(await page.locator('.nomogram [data-sum]').getAttribute('data-sum'))).toBeCloseTo(odds, 9);
  await expect(page.locator('.flips li').first()).toContainText('Overcast');
});

test('a report of numbers agrees with the program to six digits between its places', async ({ page, servers }) => {
  await page.goto(`${await report(servers.three, 'three', servers.path('three.html'))}#/ask?row=${encodeURIComponent(JSON.stringify({ width: 4.937, depth: 1.613 }))}`);
  await expectBars(page, 'posterior probabilities', probabilities(servers.path('three.credence'), 'width=4.937,depth=1.613'), 6);
  await page.getByRole('link', { name: 'Column', exact: true }).click();
  await expect(page.locator('.chart path.stroke')).toHaveCount(3);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id)).toEqual([]);
});

test('a report shows itself inside another page, as in a notebook', async ({ page, servers }) => {
  await report(servers.small, 'tennis', servers.path('tennis.html'));
  const text = readFileSync(servers.path('tennis.html'), 'utf8').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  await page.setContent(`<iframe title="report" srcdoc="${text}" sandbox="allow-scripts" width="1000" height="700"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('link', { name: 'Ask', exact: true }).click();
  await frame.getByRole('region', { name: 'the row' }).getByLabel('Outlook').selectOption('Overcast');
  await expect(frame.locator('.decision strong')).toHaveText('Yes');
});
