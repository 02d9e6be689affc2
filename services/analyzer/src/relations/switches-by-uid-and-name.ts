import { defineRelation } from '../world/relation';

/** Switches by `<uid> <name>`: whether a port's holder has the name the port says, without looking at the rest of it. */
export const switchesByUidAndName = defineRelation({ id: 'switches-by-uid-and-name', kinds: ['Logical_Switch'], keys: (row) => [`${row.uid} ${row.name}`] });
