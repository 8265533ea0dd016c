/** End of a message about changed articles, of which `count` wait for staff. */
export const waitingText = (count: number): string =>
  count === 0 ? '' : `，其中 ${count} 篇要等站务通过，读者才看得到`;
