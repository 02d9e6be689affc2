import { memoryMirror } from './mirror-memory';
import { describeMirror } from './mirror.contract';

describeMirror('memory', memoryMirror);
