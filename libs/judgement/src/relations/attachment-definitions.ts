import { defineRelation } from '../world/relation';

/** NetworkAttachmentDefinitions, all under one key: where there is none, none may be served. */
export const attachmentDefinitions = defineRelation({
  id: 'attachment-definitions',
  kinds: ['NetworkAttachmentDefinition'],
  keys: () => ['any'],
});
