import { expect, test } from "./fixtures.js";

for (const path of ["", "embed.html", "docs/index.html"]) {
  test(`a host that sends no headers serves the policy in /${path}, too`, async ({ page, baseURL }) => {
    await page.route("**/*", async (route) => {
      const response = await route.fetch();
      const headers = Object.fromEntries(
        Object.entries(response.headers()).filter(([name]) => name !== "content-security-policy"),
      );
      await route.fulfill({ response, headers });
    });
    await page.goto(`${baseURL}/${path}`);
    const blocked = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
          document.head.append(Object.assign(document.createElement("style"), { textContent: "body { color: red; }" }));
        }),
    );
    expect(blocked).toMatch(/^style-src/);
    await page.unrouteAll({ behavior: "ignoreErrors" }); // pending requests of the page
  });
}
