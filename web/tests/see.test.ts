import { at, bars, expect, expectBars, test } from './fixtures';
import { probabilities, runJson } from './program';

interface Shown {
  prior: Record<string, number>;
  columns: { column: string; table: Record<string, Record<string, number>> }[];
}

test('the overview shows the priors and columns that show prints', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'overview', { model: 'tennis' }));
  const shown = runJson<Shown>('show', servers.path('tennis.credence'));
  for (const [name, p] of Object.entries(shown.prior)) {
    await expect(page.getByRole('slider', { name: `prior of ${name}` })).toHaveAttribute('aria-valuetext', p.toFixed(3));
  }
  for (const { column } of shown.columns) await expect(page.getByRole('link', { name: column, exact: true })).toBeVisible();
  await expect(page.getByText('14', { exact: true })).toBeVisible();
});

test('a prior that is dragged moves the posterior as --prior does', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'overview', { model: 'tennis', row: { Outlook: 'Sunny', Wind: 'Strong' } }));
  await page.getByRole('slider', { name: 'prior of No' }).fill('0.6');
  await expectBars(page, 'posterior probabilities', probabilities(servers.path('tennis.credence'), 'Outlook=Sunny,Wind=Strong', '--prior', 'No=0.6,Yes=0.4'));
  await expect(page).toHaveURL(/prior=/);
  await page.getByRole('button', { name: "back to the model's prior" }).click();
  await expectBars(page, 'posterior probabilities', probabilities(servers.path('tennis.credence'), 'Outlook=Sunny,Wind=Strong'));
});

test('a column of words has the bars of show under any rule', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'column', { model: 'tennis', column: 'Outlook' }));
  for (const rule of ['laplace=1', 'mle']) {
    await page.getByLabel('Rule').selectOption(rule);
    const table = runJson<Shown>('show', servers.path('tennis.credence'), '--rule', rule).columns[0]?.table ?? {};
    const expected = Object.values(table).flatMap((row) => Object.values(row).map((p) => p.toFixed(9)));
    await expect.poll(() => page.locator('.value-bars li[data-value]').evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-value')).toFixed(9)))).toEqual(expected);
  }
});

test('a stronger prior makes the classes more alike', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'column', { model: 'tennis', column: 'Wind' }));
  const spread = async (): Promise<number> => {
    const values = await page.locator('.value-bars li[data-value]').evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-value'))));
    return Math.max(...values) - Math.min(...values);
  };
  await expect.poll(spread).toBeGreaterThan(0.2);
  await page.getByRole('slider', { name: 'Strength of the prior' }).fill('2.5');
  await expect.poll(spread).toBeLessThan(0.05);
});

test('a column of numbers has a curve for every class, and its numbers as a table', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'column', { model: 'three', column: 'width' }));
  await expect(page.locator('.chart path.stroke')).toHaveCount(3);
  await page.getByText('as a table').click();
  await expect(page.locator('.numbers tbody tr')).toHaveCount(41);
  await page.getByRole('slider', { name: 'place on width' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('figcaption')).toContainText('left');
});

test('the words of a text are listed for the class they speak for', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'column', { model: 'mails', column: 'text' }));
  await expect(page.locator('.word-lists section').first()).toContainText('review your');
  await expect(page.locator('.word-lists section').nth(1)).toContainText('account');
});

test('a point of the plane is explained with the numbers of the command line', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'plane', { model: 'three', x: 'width', y: 'depth' }));
  await page.getByRole('spinbutton', { name: 'width' }).fill('4.8');
  await page.getByRole('spinbutton', { name: 'depth' }).fill('1.6');
  await expectBars(page, 'posterior probabilities at the point', probabilities(servers.path('three.credence'), 'width=4.8,depth=1.6'));
  await expect(page.locator('.decision-line')).not.toHaveCount(0);
  await expect(page.locator('.dots circle')).toHaveCount(150);
  await page.locator('.map svg').click({ position: { x: 300, y: 200 } });
  await expect.poll(async () => (await bars(page, 'posterior probabilities at the point')).left).toBeDefined();
});

test('columns modelled together can be drawn as if they were independent', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'plane', { model: 'together', x: 'width', y: 'depth' }));
  const line = page.locator('.density').first();
  await expect(line).toHaveAttribute('d', /M/);
  const tilted = await line.getAttribute('d');
  await page.getByRole('switch', { name: 'as if independent' }).check();
  await expect.poll(() => line.getAttribute('d')).not.toBe(tilted);
});

test('a plane of words colours every combination', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'plane', { model: 'tennis', x: 'Outlook', y: 'Wind' }));
  await page.getByRole('complementary').getByLabel('Outlook').selectOption('Sunny');
  await page.getByRole('complementary').getByLabel('Wind').selectOption('Strong');
  await expectBars(page, 'posterior probabilities at the point', probabilities(servers.path('tennis.credence'), 'Outlook=Sunny,Wind=Strong'));
});
