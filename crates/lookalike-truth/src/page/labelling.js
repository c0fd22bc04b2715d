"use strict";
// Keys press the buttons of the same name; d shows the whole texts.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const key = event.key.toLowerCase();
  if (key === "d") {
    const whole = document.querySelector("details");
    if (whole) whole.open = !whole.open;
  } else if (["y", "n", "u", "b", "q"].includes(key)) {
    const button = document.querySelector(`button[value="${key}"]`);
    if (button && !button.disabled) button.click();
  }
});
// One answer for one press: a second click would be for the next pair, which nobody has seen yet.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "1";
});
