"""A page in a browser, and what can be asked of it."""

import json
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

# Of everything on the page that can be read: its contrast with what is behind it.
CONTRASTS = """
const rgb = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
const light = ({ r, g, b }) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
const ground = (element) => {
  for (; element; element = element.parentElement) {
    const colour = rgb(getComputedStyle(element).backgroundColor);
    if (colour.a === 1) return colour;
  }
  return { r: 255, g: 255, b: 255 };
};
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const element = walk.currentNode.parentElement;
  if (walk.currentNode.data.trim() === "" || !element.checkVisibility() || element.closest("script, noscript")) continue;
  const style = getComputedStyle(element);
  const ink = rgb(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
  const [one, two] = [light(ink), light(ground(element))].sort((a, b) => b - a);
  found.push([(one + 0.05) / (two + 0.05), walk.currentNode.data.trim().slice(0, 40)]);
}
return found.sort((a, b) => a[0] - b[0]).slice(0, 3);
"""

# Buttons, fields and pictures that nobody could call by a name.
NAMELESS = """
const name = (element) => [element.getAttribute("aria-label"), element.textContent, element.getAttribute("alt"), element.title,
  ...[...(element.labels ?? [])].map((label) => label.textContent)].some((name) => name?.trim());
return [...document.querySelectorAll("button, input, a, [role=img], [role=search] input")]
  .filter((element) => element.checkVisibility() && !name(element)).map((element) => element.outerHTML.slice(0, 200));
"""


class Page:
    def __init__(self, driver, origin):
        self.driver, self.origin = driver, origin

    def open(self, path="/"):
        self.driver.get(self.origin + path)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def number(self, name):
        return int("".join(filter(str.isdigit, self.text(name))) or 0)

    def state(self):
        return self.run("return document.body.dataset.state")

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def rows(self):
        """How many duplicates are listed for all to see."""
        return self.run("return [...document.querySelectorAll('#latest li')].filter((row) => row.checkVisibility()).length")

    def click(self, selector):
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def away(self):
        """Takes the pointer off the list, which stands still under it."""
        ActionChains(self.driver).move_by_offset(0, 0).move_to_element(self.all("h1")[0]).perform()
        self.run("document.activeElement.blur()")

    def is_open(self, dialog):
        return self.run("return document.getElementById(arguments[0]).open", dialog)

    def wait(self, what, is_so, seconds=20):
        end = time.monotonic() + seconds
        while not (found := is_so()):
            assert time.monotonic() < end, f"in {seconds} s it did not happen that {what}"
            time.sleep(0.05)
        return found

    def wide(self, width, height=900, phone=False):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        )

    def media(self, **features):
        told = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": told})

    def complaints(self):
        """What the console says since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def addresses(self):
        """What was asked for since this was last asked."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]

    def sideways(self):
        """By how much the page, or the dialog on it, is wider than the screen."""
        return self.run("""
            const wide = (element) => element.scrollWidth - element.clientWidth;
            return Math.max(wide(document.documentElement), ...[...document.querySelectorAll("dialog[open]")].map(wide));
        """)

    def worst_contrasts(self):
        return self.run(CONTRASTS)

    def nameless(self):
        return self.run(NAMELESS)

    def picture(self, path):
        self.driver.save_screenshot(str(path))
