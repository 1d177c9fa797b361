// The types that programs name, the same on every platform.

export type { KeyOption, SyncOption } from './database';
export type { Awaitable, Data } from './engine/backend';
export type {
  EngineEvent,
  EventOptions,
  Explanation,
  Inspection,
  Level,
  Stats,
} from './inspection';
export type { EngineOptions } from './options';
export type { PackedEntries, PackedRange, PackedReads, PackedScan, PackedValues } from './packed';
