import { at, bars, expect, test } from './fixtures';
import { run, runJson } from './program';

test('a logistic model answers, and what it does not have is not offered', async ({ page, servers }) => {
  await page.goto(at(servers.hard, 'ask', { model: 'logistic', row: { Outlook: 'Sunny', Wind: 'Strong' } }));
  const told = runJson<{ probabilities: Record<string, number>; log_odds: number }[]>('explain', servers.path('logistic.json'), '--given', 'Outlook=Sunny,Wind=Strong')[0];
  await expect.poll(() => bars(page, 'posterior probabilities')).toEqual(told?.probabilities);
  expect(Number(await page.locator('.evidence [data-sum]').getAttribute('data-sum'))).toBeCloseTo(told?.log_odds ?? NaN, 9);
  await expect(page.getByRole('navigation', { name: 'views' }).getByRole('link')).toHaveText(['Overview', 'Ask', 'Judge', 'Compare', 'Try your own', 'Learn']);
  await page.goto(at(servers.hard, 'column', { model: 'logistic' }));
  await expect(page.getByText('coefficients, not densities')).toBeVisible();
});

test('a date is asked for as a date, and answered as its day', async ({ page, servers }) => {
  await page.goto(at(servers.hard, 'ask', { model: 'dates' }));
  const form = page.getByRole('region', { name: 'the row' });
  await form.getByLabel('when', { exact: true }).locator('input').first().fill('2024-05-06');
  const told = runJson<{ probabilities: Record<string, number> }[]>('explain', servers.path('dates.credence'), '--given', 'when=2024-05-06')[0];
  await expect.poll(() => bars(page, 'posterior probabilities')).toEqual(told?.probabilities);
  await expect(page.getByRole('slider', { name: 'when', exact: true })).toHaveAttribute('aria-valuetext', /^2024-05-06/);
});

test('a row says how unusual it is', async ({ page, servers }) => {
  for (const temperature of [21, 60]) {
    const [, told = ''] = run('predict', servers.path('novel.credence'), '--novelty', '0.1', '-q', '--given', `temperature=${temperature}`).trim().split('\n');
    const share = Number(told.split(',')[1]);
    await page.goto(at(servers.hard, 'ask', { model: 'novel', row: { temperature } }));
    await expect(page.getByRole('region', { name: 'the answer' })).toContainText(`a share of ${share.toFixed(3)} is as unusual as this one`);
  }
});

test('zeros that stand apart are told beside the curve', async ({ page, servers }) => {
  const { zero } = (await (await page.request.get(`${servers.hard}/v1/models/zeros/column/gain`)).json()) as { zero: Record<string, number> };
  expect(zero.poor).toBeGreaterThan(zero.rich ?? 1);
  await page.goto(at(servers.hard, 'column', { model: 'zeros', column: 'gain' }));
  await expect(page.getByText(`Zeros stand apart, with a probability of their own: poor ${zero.poor?.toFixed(3)}, rich ${zero.rich?.toFixed(3)}`)).toBeVisible();
});

test('a threshold counts every row of many classes', async ({ page, servers }) => {
  const judged = runJson<{ rows: number; classes: { label: string; support: number }[] }>('evaluate', servers.path('letters.credence'), servers.path('letters.csv'));
  await page.goto(at(servers.hard, 'judge', { model: 'letters' }));
  await expect(page.locator('.confusion [data-count]')).toHaveCount(26 * 26);
  const of = (name: string): number => judged.classes.find((c) => c.label === name)?.support ?? 0;
  await page.getByRole('slider', { name: /from P =/ }).fill('0');
  await expect(page.locator('.counts')).toContainText(`${of('Z')} hits, 0 misses, ${judged.rows - of('Z')} false alarms, 0 rightly passed`);
});

test('the board has the most probable of many classes, and all of them when asked', async ({ page, servers }) => {
  await page.goto(at(servers.hard, 'ask', { model: 'letters', row: { 'place of the box, 1': 5 } }));
  const shares = page.locator('.board [data-posterior]');
  await expect(shares).toHaveCount(6);
  const six = (await shares.evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-posterior'))))).sort((a, b) => b - a);
  const all = Object.values(await bars(page, 'posterior probabilities')).sort((a, b) => b - a);
  expect(six.map((p) => p.toFixed(9))).toEqual(all.slice(0, 6).map((p) => p.toFixed(9)));
  await page.locator('.board').getByRole('button', { name: 'all 26 classes' }).click();
  await expect(shares).toHaveCount(26);
});
