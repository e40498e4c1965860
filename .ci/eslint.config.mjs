// Rules for the scripts of pages, which are classic scripts in one global scope. Names of other
// scripts are checked by tsc.
export default [
  {
    files: ["**/*.js"],
    languageOptions: { sourceType: "script", ecmaVersion: 2022 },
    rules: {
      "constructor-super": "error",
      eqeqeq: "error",
      "no-cond-assign": "error",
      "no-const-assign": "error",
      "no-control-regex": "error",
      "no-dupe-keys": "error",
      "no-empty": "error",
      "no-eval": "error",
      "no-fallthrough": "error",
      "no-implied-eval": "error",
      "no-self-assign": "error",
      "no-shadow": "error",
      "no-unreachable": "error",
      "no-unsafe-finally": "error",
      "no-unused-expressions": ["error", { allowTernary: true }],
      "no-unused-vars": ["error", { vars: "local" }],
      "no-useless-escape": "error",
      "no-var": "error",
      "prefer-const": "error",
      // What a file contains is text, never HTML.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML" },
        { property: "outerHTML" },
        { property: "insertAdjacentHTML" },
        { object: "document", property: "write" },
      ],
    },
  },
];
