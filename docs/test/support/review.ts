import { sampleDeliveryBody } from "@hookwright/domain";

export const review = { ...sampleDeliveryBody("review.submitted").data, id: "rev_1" };
