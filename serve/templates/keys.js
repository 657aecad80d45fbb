// A key does what the element with that data-key does; nothing else here needs a script.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  const chosen = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (chosen) {
    event.preventDefault();
    chosen.click();
  }
});
