/** Days between the wish to close an account with a verified address and its closing. */
export const CLOSING_DAYS = 7;
