import tseslint from "typescript-eslint";

// The compiler checks types (tsconfig.json) and Prettier the format. These rules need no
// types: typed rules would take a minute of processor time instead of seconds.
export default tseslint.config(
  {
    ignores: [
      "dist",
      "docs",
      "node_modules",
      "test-results",
      "src/core/notations.ts",
      "src/core/wire.ts",
      "src/edit/templates.ts",
      "src/models/endings.ts",
      "src/share/guard-examples.ts",
    ],
  },
  tseslint.configs.recommended,
  {
    rules: {
      // An underscore marks a binding that only takes a position.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
);
