// Takes toasts away after a while; a toast under the pointer or with focus inside stays.

const STAY_MS = 6000;
const MOST = 3;

const box = document.getElementById("toasts");

function leave(toast) {
  if (toast.matches(":hover, :focus-within")) setTimeout(leave, STAY_MS, toast);
  else toast.remove();
}

if (box) {
  new MutationObserver((records) => {
    for (const record of records) {
      for (const node of record.addedNodes) if (node instanceof Element) setTimeout(leave, STAY_MS, node);
    }
    while (box.children.length > MOST) box.firstElementChild.remove();
  }).observe(box, { childList: true });
}
