// Every view at four sizes: axe finds nothing serious, nothing scrolls sideways, and there are pictures for people to look at.
import AxeBuilder from '@axe-core/playwright';
import { at, expect, test } from './fixtures';

const row = { Outlook: 'Sunny', Wind: 'Strong' };
const seen: [server: 'small' | 'three' | 'texts' | 'hard', view: string, params: Record<string, string | object>][] = [
  ['three', 'overview', { model: 'three' }],
  ['three', 'column', { model: 'three', column: 'width' }],
  ['small', 'column', { model: 'tennis', column: 'Outlook' }],
  ['three', 'plane', { model: 'three', x: 'width', y: 'depth' }],
  ['small', 'ask', { model: 'tennis', row }],
  ['three', 'ask', { model: 'three', row: { width: 5, depth: 1.7 } }],
  ['small', 'text', { model: 'mails', text: 'Please review us now, and send us your password for your account.' }],
  ['three', 'judge', { model: 'three' }],
  ['small', 'teach', { model: 'tennis', row }],
  ['three', 'compare', { model: 'three' }],
  ['small', 'try', {}],
  ['small', 'learn', {}],
  ['small', 'learn', { story: 'lab-test' }],
  ['texts', 'overview', { model: 'texts' }],
  ['texts', 'column', { model: 'texts' }],
  ...['overview', 'column', 'plane', 'ask', 'judge', 'teach'].map((view): (typeof seen)[number] => ['hard', view, { model: 'letters' }]),
  ...['overview', 'column', 'plane', 'ask', 'judge'].map((view): (typeof seen)[number] => ['hard', view, { model: 'wide' }]),
  ...['overview', 'ask', 'judge'].map((view): (typeof seen)[number] => ['hard', view, { model: 'logistic' }]),
  ...['overview', 'column', 'ask'].map((view): (typeof seen)[number] => ['hard', view, { model: 'dates' }]),
  ...['overview', 'plane', 'ask'].map((view): (typeof seen)[number] => ['hard', view, { model: 'pairs' }]),
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test.describe(`${width} pixels wide, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 850 }, colorScheme });
      for (const [server, view, params] of seen) {
        // What is hard to draw is so by its size: two looks are enough.
        if (server === 'hard' && (width === 1280) !== (colorScheme === 'light')) continue;
        const name = [view, params.model ?? params.story].filter(Boolean).join(' ');
        test(`${name} is readable by all`, async ({ page, servers }) => {
          await page.goto(at(servers[server], view, params));
          await page.waitForLoadState('networkidle');
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expect(page.locator('.refused')).toHaveCount(0);
          const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect(wider, 'nothing scrolls sideways').toBeLessThanOrEqual(0);
          await page.screenshot({ path: `screenshots/${name.replace(' ', '-')}-${width}-${colorScheme}.png`, fullPage: true });
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ').slice(0, 300)}`)).toEqual([]);
        });
      }
    });
  }
}
