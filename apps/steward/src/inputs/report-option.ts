import { Option } from 'commander';

/** The option `-o, --output` of a command that reports what it found or did. Default: `text`. */
export const reportOption = (forms: readonly string[] = ['text', 'json']): Option =>
  new Option('-o, --output <form>', 'how to report').choices(forms).default('text');
