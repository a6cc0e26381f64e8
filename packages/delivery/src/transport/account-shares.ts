/**
 * Accounts by how many of the things in a shared, limited space they have. If the space is full, the account that has most loses one, so
 * that no account displaces what others have.
 */
export function createAccountShares<Account>() {
  /** By count. Empty sets are kept until `largest`, because counts go up and down all the time. */
  const byCount: Set<Account>[] = [];
  return {
    /** An account has one more or one less. */
    change(account: Account, count: { readonly before: number; readonly now: number }): void {
      byCount[count.before]?.delete(account);
      if (count.now > 0) (byCount[count.now] ??= new Set()).add(account);
    },
    /** The account that has most. Of several, the one that has had as many for the longest time. */
    largest(): Account | undefined {
      while (byCount.at(-1)?.size === 0) byCount.pop();
      const [first] = byCount.at(-1) ?? [];
      return first;
    },
  };
}
