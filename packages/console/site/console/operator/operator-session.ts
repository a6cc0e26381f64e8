/** Whether the host has switched on the pages for its staff. The server writes it into the page. */
export function hasOperatorPages(): boolean {
  return document.getElementById("console")?.dataset["operator"] !== undefined;
}

/** Whether the address is one of the pages for the host's staff. */
export function isOperatorAddress(): boolean {
  return /^#\/operator(?:[/?]|$)/u.test(location.hash) && hasOperatorPages();
}
