import { chromium } from '@playwright/test';
import { readFileSync } from 'node:fs';
const base = process.argv[2];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
async function drop(page, files) {
  const transfer = await page.evaluateHandle((files) => { const t = new DataTransfer(); for (const {name, bytes} of files) t.items.add(new File([Uint8Array.from(bytes)], name)); return t; }, files);
  await page.locator('.app').dispatchEvent('drop', { dataTransfer: transfer });
}
for (const [w,h,scheme] of [[1440,900,'light'],[1280,720,'dark']]) {
  const ctx = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme });
  const page = await ctx.newPage();
  await page.goto(base);
  await page.waitForTimeout(2500);
  await drop(page, [{ name: 'users.sst', bytes: [...readFileSync('tests/fixtures/formats/rocksdb/activities_fv2.sst')] }]);
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/loose-${w}.png` });
  await page.locator('[role=option]').filter({hasText: ''}).first().click({force:true}).catch(()=>{});
  await page.waitForTimeout(400);
  for (const tab of ['Problems','Files','Read','Bytes']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click();
    await page.waitForTimeout(900);
    await page.screenshot({ path: `/tmp/loose-${w}-${tab}.png` });
  }
  await ctx.close();
}
await browser.close();
