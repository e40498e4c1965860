"use strict";
// The index of a folder.

async function showFolder() {
  const { text, word, number } = await tableColumns();
  const pages = text("page");
  const errors = text("error");
  const sizes = number("size");
  const findings = number("findings");
  /** @type {TableColumn[]} */
  const columns = [
    { key: "name", title: "File", track: "minmax(0, 3fr)", from: 0, values: text("name") },
    { key: "format", title: "Format", track: "minmax(88px, 1fr)", from: 640, values: word("format") },
    { key: "stage", title: "Stage", track: "minmax(0, 1fr)", from: 0, values: word("stage") },
    { key: "target", title: "Target", track: "minmax(0, 1.6fr)", from: 640, values: word("target") },
    { key: "size", title: "Bytes", track: "72px", from: 0, values: sizes },
    {
      key: "instructions", title: "Instructions", track: "84px", from: 760,
      values: number("instructions"),
    },
    {
      key: "resources", title: "Resources", track: "72px", from: 1000,
      values: number("resources"),
    },
    {
      key: "findings", title: "Findings", track: "62px", from: 480, values: findings,
      kind: (row) => (findings[row] > 0 ? "number bad" : "number"),
    },
    { key: "digest", title: "Digest", track: "56px", from: 1000, values: word("digest") },
    {
      key: "compiler", title: "Compiler", track: "minmax(0, 1.5fr)", from: 1000,
      values: word("compiler"),
    },
    {
      key: "hash", title: "SHA-256", track: "126px", from: 1240, values: text("hash"),
      code: true,
    },
  ];
  tablePage(
    columns,
    { label: "Shaders", link: (row) => pages[row], note: (row) => errors[row] },
    (facets) => {
      facets.of(columns[1], 8);
      facets.of(columns[2], 12);
      const found = Array.from(findings).filter((each) => each > 0).length;
      if (found) facets.add("findings>0", "with findings", found, "bad");
      const failed = Array.from(sizes).filter((each) => each < 0).length;
      if (failed) facets.add("size=-1", "not opened", failed, "bad");
    },
  );
}

showFolder();
