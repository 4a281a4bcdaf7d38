// SPDX-License-Identifier: MIT
// A click on the head of a column sorts its table; a second click turns the order round.
document.querySelectorAll("table.sortable th").forEach((head) => {
  const button = document.createElement("button");
  button.textContent = head.textContent;
  button.style.font = "inherit";
  button.style.cursor = "pointer";
  head.replaceChildren(button);
  button.addEventListener("click", () => sort(head));
});

function sort(head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = head.closest("table").tBodies[0];
  const rows = [...body.rows].sort((a, b) => compare(a.cells[head.cellIndex], b.cells[head.cellIndex]));
  body.append(...(down ? rows.reverse() : rows));
}

function compare(a, b) {
  const [x, y] = [a, b].map((cell) => cell.dataset.value);
  return x !== undefined && y !== undefined
    ? Number(x) - Number(y)
    : a.textContent.localeCompare(b.textContent);
}
