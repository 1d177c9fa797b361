// The words that packed links are most likely to hold, so that they need few characters. It is frozen: every link that was packed
// with it must stay readable. Other words need another kind of link.

/** Dictionary 1; what is most common stands at the end, where it costs the fewest bits. */
export const DICTIONARY_1 = new TextEncoder().encode(
  [
    'lookup \nentries \nopened\nformats\ncount\nwrite\nmanifest\ntransactions\nspace\nbranches\nbranch main\nfork\nwhy\nmerge\n',
    'layout CURRENT\nhex CURRENT\nbuckets\nfollow \nkvdb put key1 value1\nkvdb get key1\nkvdb del key2\ncorrupt CURRENT 4096\n',
    'lab L4 --records 1000\ncompare leveled tiered { fill 300; run }\nlab compare strategy=leveled vs strategy=tiered\n',
    '\n---\nlesson: 1\nid: title: minutes: 15\nlevel: 2\npreset: classroom\ngoal: needs: source: \n---\n\n## \n\n> ',
    'show: table:4\nshow: memtable:1\nshow: wal:3\nshow: level:1\ngrain phase\ntab why\nspotlight level:1\n',
    'a pick:\na word:\na number:\nask \n( ) (x) \n    because \n= 1\ntry one:\ndone\ncommands 3\nhint solution\n    \n',
    'check -> errors == 0\nlsm -> sum(levels[*].tables[*].tombstones) == 0\nlsm -> sum(levels[*].tables[*].entries) == 1\n',
    'stats -> entriesShadowed == 1\nexplain get  -> blocksRead == 0\nexpect get  -> value == "red"\nlsm -> lastSequence == 1\n',
    'lsm -> count(levels[0].tables) == 1\n```\n\n```levelscope\nstart:\npreset classroom\n```\n\n```levelscope\ncheck:\n```levelscope\nrun:\n',
    '# levelscope 1 default article classroom memtable_bytes=flush_trigger_bytes=immutable_count_max=block_bytes=',
    'restart_interval=compression=snappy none prefix=until:. prefix_filter=off prefix_index=exact compact cache_bytes=',
    'table_bytes=level_count=l0_trigger=l0_slowdown=l0_stall=level_base_bytes=level_multiplier=manifest_bytes=bloom_bits=0 ',
    'strategy=tiered lazy-leveled maintenance=inline maintenance=manual wal_sync=none interval:wal_buffer_bytes=65536\n',
    'options set strategy tiered\noptions set maintenance manual\noptions preset classroom\noptions set bloom_bits 0\n',
    'break before flush.install\nbreak on stall\nbreak when l0 >= 4\nuntil before compaction.install\nuntil after flush.install\n',
    'until after wal.delete\nuntil after table.sync\nuntil after manifest.append\nuntil on key \nuntil on tombstone-gc\n',
    'crash --keep none\ncrash --keep torn --seed 1\ncrash --keep all\nreset --yes\nrelease all\nrelease 1\nsnapshot\n',
    'get stock --snapshot 1\nput stock 1\nbegin --serializable\nrollback\ncommit 2\ncommit 1\nput alice off\nput bob off\n',
    'put alice on; put bob on\nbatch { put ; del  }\nscan --limit 10\nexplain prefix \nexplain get \ncheck\nstats\nlsm\nmem\nwal\nfiles\n',
    'fill 60 --words --seed 7 --overwrites 0 --deletes 0\nfill 1000 --seed 7\nfill 200 --words --seed 1\nfill 17 --words --seed 8\n',
    'step call 12\nstep entry 3\nstep phase 2\nrotate\nsync\ncompact --plan\ncompact 0; run\ncompact 1; run\nflush; step job\n',
    'put user:0001:name Ada\nput banana yellow; put melon orange; put cherry dark; put kiwi brown; put zebra striped\n',
    'put grape purple; put plum blue; put lemon yellow\ndel fig\nget fig\ndel apple\nget apple\n',
    'put apple red; put fig green; put pear yellow\ncompact; run\nflush\nrun\nflush; run\nput ',
  ].join(''),
);
