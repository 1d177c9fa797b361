/** Keys of the audience's window that act in the presenter's; all others are ignored. */
export const KEYS = /^(Page(Up|Down)|Arrow(Left|Right)|Escape|F5|[ .+\-=0nps])$/;
