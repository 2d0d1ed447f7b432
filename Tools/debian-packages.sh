#!/bin/sh
# Prints the packages that apt knows as items for `limelight import`, one line of JSON a package.
#
# From `apt-cache dumpavail`, with the long descriptions out of apt's English translations where
# these were fetched (many container images leave them out). Needs nothing but apt and awk.
#
#   Package      id, displayName            Tag         keywords
#   Description  contentDescription         Homepage    url
#   Section      domain: net is debian.net, contrib/net is debian.contrib.net
#   Maintainer   authorNames (the name)     Size        fileSize (bytes)
#   Version      debianVersion, an attribute of its own
set -eu

# The descriptions' files, unpacked; nothing where there are none.
translations() {
  apt-get indextargets --format '$(FILENAME)' 'Created-By: Translations' 'Language: en' \
    2>/dev/null | while read -r file; do
    if [ -r "$file" ]; then /usr/lib/apt/apt-helper cat-file "$file"; fi
  done
}

{
  translations
  echo '#packages'
  apt-cache dumpavail
} | LC_ALL=C awk '
  # Paragraphs of "Name: value" lines; a line that begins with a space goes on with the last value.

  function escaped(text) {
    gsub(/["\\]/, "\\\\&", text)
    gsub(/\t/, " ", text)
    gsub(/[\001-\037\177]/, "", text)
    return text
  }

  function member(name, text) { return ",\"" name "\":\"" text "\"" }

  # The name of "Ada Lovelace <ada@example.org>", without the quotes that commas need.
  function person(maintainer) {
    if (match(maintainer, /[ ]*<[^>]*>[ ]*$/) && RSTART > 1)
      maintainer = substr(maintainer, 1, RSTART - 1)
    gsub(/^["<]|[">]$/, "", maintainer)
    return maintainer
  }

  function keywords(tags,    parts, count, i, list) {
    count = split(tags, parts, /,[ ]*/)
    for (i = 1; i <= count; i++)
      if (parts[i] != "") list = list (list == "" ? "" : ",") "\"" escaped(parts[i]) "\""
    return list
  }

  function printItem(    id, section, text, md5, line, tags) {
    id = value["Package"]
    if (id in seen) id = id ":" value["Architecture"]
    seen[id] = 1
    line = "{\"id\":\"" escaped(id) "\""
    section = value["Section"]
    gsub(/\//, ".", section)
    if (section != "") line = line member("domain", "debian." escaped(section))
    line = line ",\"attributes\":{\"displayName\":\"" escaped(value["Package"]) "\""
    text = escaped(value["Description-en"] != "" ? value["Description-en"] : value["Description"])
    md5 = value["Description-md5"]
    if (long["Description"] == "" && long["Description-en"] == "" && md5 in translated)
      text = text "\\n" translated[md5]
    else text = text more(long["Description-en"] != "" ? long["Description-en"] : long["Description"])
    if (text != "") line = line member("contentDescription", text)
    tags = keywords(value["Tag"])
    if (tags != "") line = line ",\"keywords\":[" tags "]"
    if (value["Homepage"] != "") line = line member("url", escaped(value["Homepage"]))
    if (value["Size"] ~ /^[0-9]+$/) line = line ",\"fileSize\":" value["Size"]
    if (value["Version"] != "") line = line member("debianVersion", escaped(value["Version"]))
    if (value["Maintainer"] != "")
      line = line ",\"authorNames\":[\"" escaped(person(value["Maintainer"])) "\"]"
    print line "}}"
  }

  function more(text) { return text == "" ? "" : "\\n" text }

  function endParagraph() {
    if (isPackages && value["Package"] != "") printItem()
    else if (!isPackages && value["Description-md5"] != "" && long["Description-en"] != "")
      translated[value["Description-md5"]] = long["Description-en"]
    split("", value)
    split("", long)
    name = ""
  }

  /^#packages$/ { endParagraph(); isPackages = 1; next }
  /^[ ]*$/ { endParagraph(); next }
  /^[ \t]/ {
    text = substr($0, 2)
    if (name ~ /^Description/) {
      if (text == ".") text = ""
      long[name] = long[name] (long[name] == "" ? "" : "\\n") escaped(text)
    } else value[name] = value[name] " " text
    next
  }
  {
    colon = index($0, ":")
    name = substr($0, 1, colon - 1)
    value[name] = substr($0, colon + 1)
    sub(/^[ ]+/, "", value[name])
    sub(/[ ]+$/, "", value[name])
  }
  END { endParagraph() }
'
