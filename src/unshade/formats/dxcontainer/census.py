"""Parts in the containers of the corpus: number of files, minimum and maximum size.

Recorded by tools/census.py; not to be edited.
"""

# fmt: off
DATE = "2026-11-22"
CORPUS = "d80fbae7"
FILES = 1238
ORDERS = 50
PARTS = {'Aon9': (87, 100, 3848),
 'DXIL': (316, 24, 12932),
 'FKE0': (2, 8, 8),
 'FKE1': (1, 8, 8),
 'FKE2': (1, 8, 8),
 'FKE3': (1, 8, 8),
 'FKE4': (1, 8, 8),
 'FKE5': (1, 20, 20),
 'FKE6': (1, 8, 8),
 'HASH': (304, 0, 20),
 'IFCE': (7, 124, 272),
 'ILDB': (53, 1628, 8156),
 'ILDN': (74, 44, 44),
 'ISG1': (287, 8, 584),
 'ISGN': (848, 8, 320),
 'OSG1': (287, 8, 980),
 'OSG5': (12, 8, 136),
 'OSGN': (836, 8, 284),
 'PCSG': (42, 72, 644),
 'PRIV': (1, 7, 7),
 'PSG1': (24, 52, 972),
 'PSV0': (292, 68, 564),
 'RDAT': (24, 140, 1376),
 'RDEF': (339, 68, 4120),
 'RTS0': (124, 24, 400),
 'SFI0': (351, 8, 8),
 'SHDR': (268, 56, 6584),
 'SHEX': (596, 16, 39972),
 'SRCI': (29, 276, 1300),
 'STAT': (409, 116, 2624),
 'VERS': (45, 36, 40)}
WRITERS = {'Microsoft (R) HLSL Shader Compiler 10.1': {'SHDR 4.0': 107,
                                             'SHEX 5.0': 83,
                                             'SHEX 5.1': 9},
 'Microsoft (R) HLSL Shader Compiler 9.29.952.3111': {'SHDR 4.0': 5,
                                                      'SHDR 4.1': 1,
                                                      'SHEX 5.0': 11},
 'Microsoft (R) HLSL Shader Compiler 9.30.9200.20499': {'SHDR 4.0': 24,
                                                        'SHEX 5.0': 31},
 'Microsoft (R) HLSL Shader Compiler 9.30.9200.20714': {'SHDR 4.0': 16,
                                                        'SHEX 4.0': 8,
                                                        'SHEX 5.0': 44},
 'no RDEF': {'SHDR 4.0': 115, 'SHEX 5.0': 300, 'SHEX 5.1': 110}}
