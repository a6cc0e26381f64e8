/** Of a response to a link that shows something without a sign-in: others must neither keep it nor learn the link. */
export const linkHeaders = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };
