export const review = {
  id: "rev_1",
  rating: 5,
  title: "Worth the walk",
  content: "The crust is perfect.",
  status: "pending",
  verified_purchase: true,
  customer: { name: "Ada Lovelace", email: "ada@example.com" },
  product: { id: "prd_9", name: "Sourdough loaf" },
  created_at: "2026-11-20T09:30:00Z",
};
