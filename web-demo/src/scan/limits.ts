/** More groups than this are not shown: the largest ones are, and all of them can be saved. */
export const MOST_GROUPS = 2_000;
