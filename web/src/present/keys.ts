/** Keys of the audience's window that mean something in the presenter's; no other acts there. */
export const KEYS = /^(Page(Up|Down)|Arrow(Left|Right)|Escape|F5|[ .+\-=0nps])$/;
