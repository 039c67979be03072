// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a page in headless Chromium and prints what is wrong with it, as JSON on standard output.
// usage: node browser.mjs NODE_MODULES CHROMIUM PAGE.html SCREENSHOT-PREFIX [LOOK]
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, executablePath, page_path, prefix, only] = process.argv.slice(2);
const require = createRequire(modules + "/");
const { chromium } = require("playwright-core");
const axe_path = require.resolve("axe-core/axe.min.js");
const problems = [];
const requests = [];

// What a reader sees at one width and colour scheme.
const looks = [
  { name: "360-light", width: 360, height: 800, colorScheme: "light" },
  { name: "360-dark", width: 360, height: 800, colorScheme: "dark" },
  { name: "1600-light", width: 1600, height: 1000, colorScheme: "light" },
  { name: "1600-dark", width: 1600, height: 1000, colorScheme: "dark" },
].filter((look) => !only || look.name === only);

// Runs in the page: text that is too small to read, and whether the page is wider than the window.
function measure() {
  const root = document.documentElement;
  const small = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const box = element.getBoundingClientRect();
    if (!own || !box.width || ["STYLE", "SCRIPT", "TITLE", "title"].includes(element.tagName))
      continue;
    // Text within a drawing is scaled with it.
    const svg = element.closest("svg");
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 8.5) small.push(`${element.tagName} ${size.toFixed(1)}px ${element.textContent}`);
  }
  return {
    overflow: root.scrollWidth - root.clientWidth,
    small: small.slice(0, 5),
    text: document.body.innerText.length,
    scripts: [...document.scripts].filter((s) => !/x-kregress/.test(s.type)).length,
    plots: document.querySelectorAll("svg.plot").length,
  };
}

async function look_at(browser, look) {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    // The page's policy forbids scripts; axe-core is put in from outside.
    bypassCSP: true,
  });
  const page = await context.newPage();
  page.on("console", (m) => problems.push(`${look.name}: console ${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => problems.push(`${look.name}: ${e}`));
  page.on("request", (r) => requests.push(r.url()));
  await page.goto(pathToFileURL(page_path).href);
  const closed = await page.evaluate(measure);
  await page.screenshot({ path: `${prefix}-${look.name}.png` });
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  const open = await page.evaluate(measure);
  for (const [state, found] of [["closed", closed], ["open", open]]) {
    if (found.overflow > 0)
      problems.push(`${look.name}, ${state}: ${found.overflow} px wider than the window`);
    for (const text of found.small) problems.push(`${look.name}, ${state}: too small: ${text}`);
    if (found.scripts) problems.push(`${look.name}: ${found.scripts} scripts`);
  }
  await page.screenshot({ path: `${prefix}-${look.name}-full.png`, fullPage: true,
    clip: { x: 0, y: 0, width: look.width, height: 6000 } });
  await page.addScriptTag({ path: axe_path });
  const result = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
  for (const v of result.violations)
    problems.push(`${look.name}: axe ${v.id} (${v.impact}): ${v.help}: ` +
      v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | "));
  await context.close();
  return { ...open, rules: result.passes.length };
}

// A reader without script: the filter and the details work by themselves.
async function without_script(browser) {
  const context = await browser.newContext({ javaScriptEnabled: false,
    viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(page_path).href);
  const rows = page.locator("tr.row");
  const count = await rows.count();
  let hidden = 0;
  for (const box of await page.locator("fieldset input").all()) await box.uncheck();
  for (let i = 0; i < count; i++) hidden += (await rows.nth(i).isHidden()) ? 1 : 0;
  if (hidden !== count) problems.push(`filter: ${hidden} of ${count} rows hidden`);
  for (const box of await page.locator("fieldset input").all()) await box.check();
  const summary = page.locator("details.row > summary").last();
  if (await summary.count()) {
    await summary.focus();
    await page.keyboard.press("Enter");
    if (!(await page.locator("details.row").last().getAttribute("open") !== null))
      problems.push("the keyboard does not open the details");
  }
  const link = page.locator("tr.row th a").last();
  if (await link.count()) {
    const target = page.locator(`details:has([id="${(await link.getAttribute("href")).slice(1)}"])`);
    if ((await target.getAttribute("open")) !== null) await target.locator("summary").first().click();
    await link.click();
    if ((await target.getAttribute("open")) === null)
      problems.push("a link in the table does not open the details");
  }
  await page.emulateMedia({ media: "print" });
  // What is closed on the screen is open on paper.
  for (const body of (await page.locator("details.row > .body").all()).slice(0, 3))
    if (!(await body.isVisible())) problems.push("details are closed in print");
  await page.screenshot({ path: `${prefix}-print.png` });
  await page.pdf({ path: `${prefix}-print.pdf`, format: "A4", printBackground: true });
  await context.close();
  return count;
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const seen = {};
for (const look of looks) seen[look.name] = await look_at(browser, look);
const rows = await without_script(browser);
await browser.close();
const foreign = requests.filter((url) => !url.startsWith("file://"));
for (const url of foreign) problems.push(`request: ${url}`);
if (requests.length !== looks.length) problems.push(`${requests.length} requests`);
console.log(JSON.stringify({ problems, rows, seen }, null, 1));
