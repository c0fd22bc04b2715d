"""Pictures of the page on a day of invented news."""

import time

from selenium.webdriver.common.keys import Keys

from . import feed


def take(page, service, folder):
    folder.mkdir(parents=True, exist_ok=True)
    page.wait("the empty page is shown", lambda: page.run("return !document.getElementById('empty').hidden"))
    page.wide(1280, 720)
    page.picture(folder / "page-empty.png")

    documents = list(feed.day(time.time()))
    for start in range(0, len(documents), 500):
        service.post(*documents[start : start + 500])
    page.wait("all are counted", lambda: page.number("f-came") == len(documents), 60)
    for name, scheme, width, height in [("light", "light", 1280, 1240), ("dark", "dark", 1280, 1240), ("phone", "light", 360, 1500), ("phone-dark", "dark", 360, 1500)]:
        page.media(color_scheme=scheme)
        page.wide(width, height, phone=width < 500)
        # What was said of the rate while all came at once is over.
        page.wait("it is quiet", lambda: page.text("f-rate") == "0", 30)
        time.sleep(0.5)
        page.picture(folder / f"page-{name}.png")

    page.media(color_scheme="light")
    page.wide(1280, 900)
    wanted = [row for row in page.all("#latest button.near") if "en-" in row.text and "exact" not in row.text]
    (wanted or page.all("#latest button"))[0].click()
    page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2)
    for name, scheme, width, height in [("compare", "light", 1280, 820), ("compare-dark", "dark", 1280, 820), ("compare-phone", "light", 360, 1200)]:
        page.media(color_scheme=scheme)
        page.wide(width, height, phone=width < 500)
        time.sleep(0.5)
        page.picture(folder / f"page-{name}.png")
    page.press(Keys.ESCAPE)
    page.wide(1280, 900)
    service.stop()
    page.wait("the connection is lost", lambda: page.state() == "lost")
    page.picture(folder / "page-lost.png")
    service.start()
