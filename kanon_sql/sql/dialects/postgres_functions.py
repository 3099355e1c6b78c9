"""Functions of PostgreSQL and of well-known extensions that only read, and those that give another value at every call."""

from __future__ import annotations

READING = """
abbrev abs acos acosd acosh age akeys any_value area array array_agg array_append array_cat array_dims array_fill array_length
array_lower array_ndims array_overlap array_position array_positions array_prepend array_remove array_replace array_reverse
array_sort array_to_json array_to_string array_to_tsvector array_upper ascii asin asind asinh atan atan2 atan2d atand atanh avals
avg bit bit_and bit_count bit_length bit_or bit_xor bool bool_and bool_or box bpchar broadcast btrim bytea cardinality casefold
cast cbrt ceil ceiling center char char_length character_length chr cidr circle coalesce concat concat_ws convert convert_from
convert_to corr cos cosd cosh cosine_distance cot cotd count covar_pop covar_samp crc32 crc32c crypt cume_dist current_database
current_schema current_setting current_user daitch_mokotoff date date_add date_bin date_part date_subtract date_trunc
datemultirange daterange decode defined degrees dense_rank diagonal diameter difference digest div dmetaphone dmetaphone_alt each
earth_box earth_distance elem_contained_by_range encode enum_first enum_last enum_range erf erfc every exist exp extract factorial
family first_value float4 float8 floor format format_type gamma gcd generate_series generate_subscripts get_bit get_byte
get_current_ts_config greatest grouping hashtext hashtextextended height hmac host hostmask hstore hstore_to_json hstore_to_jsonb
icount idx initcap inner_product int2 int4 int4multirange int4range int8 int8multirange int8range interval is_normalized isclosed
isempty isfinite ishorizontal isopen isparallel isperp isvertical json json_agg json_agg_strict json_array json_array_elements
json_array_elements_text json_array_length json_arrayagg json_build_array json_build_object json_each json_each_text json_exists
json_extract_path json_extract_path_text json_object json_object_agg json_object_agg_strict json_object_agg_unique
json_object_agg_unique_strict json_object_keys json_objectagg json_populate_record json_populate_recordset json_query json_scalar
json_serialize json_strip_nulls json_table json_to_record json_to_recordset json_to_tsvector json_typeof json_value jsonb_agg
jsonb_agg_strict jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object
jsonb_concat jsonb_contained jsonb_contains jsonb_delete jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any
jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg jsonb_object_agg_strict
jsonb_object_agg_unique jsonb_object_agg_unique_strict jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match
jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset
jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector jsonb_typeof
justify_days justify_hours justify_interval l1_distance l2_distance lag last_value lca lcm lead least left length levenshtein
levenshtein_less_equal lgamma like line ll_to_earth ln log log10 lower lower_inc lower_inf lpad lseg ltree2text ltrim macaddr
macaddr8 macaddr8_set7bit make_date make_interval make_time make_timestamp make_timestamptz masklen max md5 metaphone min
min_scale mod mode money multirange name netmask network nlevel normalize now npoints nth_value ntile nullif num_nonnulls
num_nulls numeric nummultirange numnode numrange octet_length oid overlaps overlay parse_ident path pclose percent_rank
percentile_cont percentile_disc pg_size_pretty pg_typeof phraseto_tsquery pi plainto_tsquery point polygon popen position pow
power quote_ident quote_literal quote_nullable radians radius range_agg range_contains range_intersect_agg range_merge
range_overlaps rank regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
repeat replace reverse right round row row_number row_to_json rpad rtrim scale session_user set_bit set_byte set_masklen setweight
sha224 sha256 sha384 sha512 show_trgm sign similarity sin sind sinh skeys slice slope sort soundex split_part sqrt st_area
st_asewkt st_asgeojson st_astext st_buffer st_centroid st_closestpoint st_collect st_contains st_convexhull st_coveredby st_covers
st_crosses st_difference st_disjoint st_distance st_distancesphere st_dwithin st_envelope st_equals st_expand st_geohash
st_geometrytype st_geomfromewkt st_geomfromgeojson st_geomfromtext st_geomfromwkb st_intersection st_intersects st_isempty
st_isvalid st_length st_makeenvelope st_makepoint st_makevalid st_npoints st_numgeometries st_overlaps st_perimeter st_point
st_pointonsurface st_setsrid st_simplify st_snaptogrid st_srid st_touches st_transform st_union st_within st_x st_xmax st_xmin
st_y st_ymax st_ymin starts_with statement_timestamp stddev stddev_pop stddev_samp strict_word_similarity string_agg
string_to_array string_to_table strip strpos subltree subpath substr substring sum svals system_user tan tand tanh text text2ltree
textcat time timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number to_oct
to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim trim_array trim_scale trunc ts_delete ts_filter
ts_headline ts_lexize ts_parse ts_rank ts_rank_cd ts_token_type tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange
tsvector_to_array unaccent unicode_assigned uniq unistr unnest upper upper_inc upper_inf uuid_extract_timestamp
uuid_extract_version var_pop var_samp varbit varchar variance vector_dims vector_norm websearch_to_tsquery width width_bucket
word_similarity xml xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlagg xmlattributes xmlcomment
xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable xmltext xmlvalidate xpath
xpath_exists
"""

VARYING = """
clock_timestamp currval gen_random_bytes gen_random_uuid gen_salt lastval nextval random random_normal setseed timeofday
uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 uuidv4 uuidv7
"""

# Extensions whose functions run no SQL of their own.
EXTENSIONS = """
btree_gin btree_gist citext cube earthdistance fuzzystrmatch hstore intarray isn ltree pg_trgm pgcrypto postgis seg unaccent
uuid-ossp vector
"""
