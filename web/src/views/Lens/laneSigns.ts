/** The outline of each kind of step, around a point, so that colour is not the only sign. The cross means tombstones. */
export const LANE_SIGNS = {
  flush: 'm-4.5-4h9l-4.5 8.5z',
  compaction: 'm0-5l5 5l-5 5l-5-5z',
  move: 'm-4.5-1.3h4.4v-3.2l5 4.5l-5 4.5v-3.2h-4.4z',
  ingestion: 'm-1.2-4.8h2.4v3.6h3.6v2.4h-3.6v3.6h-2.4v-3.6h-3.6v-2.4h3.6z',
  excise: 'm-4.5-1.2h9v2.4h-9z',
  deletion: 'm0-4.8a4.8 4.8 0 1 1-.01 0zm-3 3.8v2h6v-2z',
  recovery: 'm-4.5-4.5h9v9h-9zm2.5 2.5v4h4v-4z',
  family_created: 'm0-4.8a4.8 4.8 0 1 1-.01 0z',
  family_dropped: 'm0-4.8a4.8 4.8 0 1 1-.01 0zm0 2a2.8 2.8 0 1 0 .01 0z',
  snapshot: 'm-1.2-4.5h2.4v9h-2.4z',
} as const;

export type LaneSign = keyof typeof LANE_SIGNS;
