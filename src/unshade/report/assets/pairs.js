"use strict";
// The index of the differences of two folders.

async function showPairs() {
  const { text, word, number } = await tableColumns();
  const pages = text("page");
  const errors = text("error");
  const status = word("status");
  /** @type {TableColumn[]} */
  const columns = [
    { key: "name", title: "File", track: "minmax(0, 2fr)", from: 0, values: text("name") },
    {
      key: "status", title: "Status", track: "minmax(100px, 1fr)", from: 0, values: status,
      kind: (row) => (status[row].startsWith("the same") ? "same" : "bad"),
    },
    { key: "lines", title: "Lines", track: "56px", from: 480, values: number("lines") },
    {
      key: "renumbered", title: "Renumbered", track: "82px", from: 1000,
      values: number("renumbered"),
    },
    { key: "before", title: "Bytes before", track: "88px", from: 760, values: number("before") },
    { key: "after", title: "Bytes after", track: "80px", from: 760, values: number("after") },
    {
      key: "verdict", title: "Difference", track: "minmax(0, 4fr)", from: 640,
      values: text("verdict"),
    },
  ];
  tablePage(
    columns,
    { label: "Pairs", link: (row) => pages[row], note: (row) => errors[row] },
    (facets) => facets.of(columns[1], 10),
  );
}

showPairs();
