import type { Script } from "./script.ts";

export const blogPosts: Script = async (side, ask) => {
  const post = (json: object) => ask("POST /v1/blog-posts", { json: { project_id: "site_1", ...json } });
  await post({ title: "Opening hours in winter" });
  await post({ title: "Opening hours in winter", tags: ["news", " news "], content: "<b>x</b>" });
  await post({ title: "Opening hours in winter", project_id: "site_2" });
  await post({ title: "Other", slug: "opening-hours-in-winter" });
  await post({ title: "Other", slug: "As Sent/Äh" });
  await post({ title: "2026" });
  await post({ title: "!!!" });
  await post({ title: "x ".repeat(200) });
  await post({ title: "x ".repeat(200) });
  await post({ title: "Other", slug: "y".repeat(200) });
  await post({ title: "Other", slug: "y".repeat(200) });
  await post({ title: "Other", slug: `${"y".repeat(189)}🦄` });
  await post({ title: "Other", slug: `${"y".repeat(189)}🦄` });
  await post({
    title: "All",
    excerpt: "e",
    meta_title: "m",
    meta_description: "d",
    featured_image: "https://example.com/a.jpg",
    slug: " ",
  });
  await post({ title: "" });
  await post({ title: "x", featured_image: "ftp://example.com/", slug: "x".repeat(201), tags: [1] });
  await post({ title: "x", project_id: "none" });
  await side.changeAccount({ plan: { blog_posts_per_site: 2 } });
  await post({ title: "One too many" });
  await post({ title: "On the other site", project_id: "site_2" });
  await post({ title: "And one too many there", project_id: "site_2" });
};
