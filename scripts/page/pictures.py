"""Pictures of the page on a day of invented news."""

import threading
import time

from selenium.webdriver.common.keys import Keys

from . import feed

BOARDS = [("light", "light", 1280, 1180), ("dark", "dark", 1280, 1180), ("phone", "light", 360, 1180), ("phone-dark", "dark", 360, 1180)]
PAIRS = [("compare", "light", 1280, 700), ("compare-dark", "dark", 1280, 700), ("compare-phone", "light", 360, 1300)]


def take(page, service, folder):
    folder.mkdir(parents=True, exist_ok=True)

    def picture(name, scheme, width, height):
        page.media(color_scheme=scheme)
        page.wide(width, height, phone=width < 500)
        page.wait("it is live", lambda: page.state() == "live", 120)
        time.sleep(1.5)
        page.picture(folder / f"page-{name}.png")

    page.wait("the empty page is shown", lambda: page.run("return !document.getElementById('empty').hidden"))
    picture("empty", "light", 1280, 720)
    documents = list(feed.day(time.time()))
    late = documents[-60:]
    for start in range(0, len(documents) - len(late), 500):
        service.post(*documents[start : min(start + 500, len(documents) - len(late))])
    service.post(*feed.editions(time.time()))

    stop = threading.Event()

    def post_late():
        """The last of them come while pictures are taken."""
        for document in late:
            if stop.wait(0.4):
                break
            service.post(document | {"time": round(time.time(), 3)})

    feeding = threading.Thread(target=post_late)
    feeding.start()
    page.wait("all are counted", lambda: page.number("f-came") > len(documents) - 30, 120)
    for board in BOARDS:
        picture(*board)
    stop.set()
    feeding.join()
    page.wide(1280)
    page.all("#search-id")[0].send_keys("en-9003", Keys.ENTER)
    page.wait("both texts are there", lambda: len(page.all("#pair .text[data-whole]")) == 2, 60)
    # The first edition differs in more.
    page.click("#pair-others button")
    page.wait("the other text is there", lambda: "en-9001" in page.text("pair-texts"), 60)
    for pair in PAIRS:
        picture(*pair)
    page.press(Keys.ESCAPE)
    page.wide(1280)
    service.stop()
    page.wait("the connection is lost", lambda: page.state() == "lost")
    page.picture(folder / "page-lost.png")
    service.start()
