// A field whose error line was swapped in is marked as invalid, and no longer once the line is gone or the field is changed.

function isTold(id) {
  const line = document.getElementById(id);
  return line?.classList.contains("error") && !line.hidden && line.textContent.trim() !== "";
}

document.addEventListener("htmx:after:swap", () => {
  for (const field of document.querySelectorAll(".field [aria-describedby]")) {
    const isWrong = field.getAttribute("aria-describedby").split(" ").some(isTold);
    if (isWrong) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
});

document.addEventListener("input", (event) => event.target.removeAttribute?.("aria-invalid"));
