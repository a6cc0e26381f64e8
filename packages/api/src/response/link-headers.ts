/** For links that need no sign-in: search engines must not store the response, and other sites must not learn the link. */
export const linkHeaders = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };
