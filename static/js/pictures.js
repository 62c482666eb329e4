// A picture that cannot be had leaves the initial that stands behind it.

document.addEventListener(
  "error",
  (event) => {
    if (event.target instanceof HTMLImageElement && event.target.closest(".avatar")) event.target.remove();
  },
  true,
);

for (const image of document.querySelectorAll(".avatar img")) {
  if (image.complete && image.naturalWidth === 0) image.remove();
}
