export { createAnalyzer } from './analyze';
export type { AnalyzedBatch, Analyzer, AnalyzerOptions, Picture } from './analyze';
export { createEngine } from './create-engine';
export { Checkpoint } from './store/checkpoint';
export { RULES } from './rules/registry';
export type { Engine } from './engine/engine';
export type { Entity } from './world/entity';
export { readCheckpoint } from './store/read-checkpoint';
export type { CheckpointContents } from './store/read-checkpoint';
