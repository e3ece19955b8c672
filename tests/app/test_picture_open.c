/* A picture that is dropped on the window restores its session. */
#include <string.h>

#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

TEST(a_dropped_picture_restores_its_state) {
    LOCAL(disk_release) Disk disk = {0};
    LOCAL(script_end) Script s;
    AppFiles files = disk_files(&disk);
    disk_put(&disk, "/home/one.svg",
             "<svg><state xmlns=\"urn:headlight:state\">mask=causal&amp;view=wqk&amp;size=640x480"
             "</state></svg>");
    disk_put(&disk, "/home/other.svg", "<svg/>");
    disk_put(&disk, "/home/wrong.svg",
             "<svg><state xmlns=\"urn:headlight:state\">heads=none</state></svg>");
    script_begin_with(&s, "seed=7", &files);
    script_drop(&s, "/home/one.svg");
    assert_string_equal(script_state(&s), "mask=causal&view=wqk");
    script_drop(&s, "/home/other.svg");
    script_drop(&s, "/home/wrong.svg");
    script_drop(&s, "/home/none.svg");
    assert_string_equal(script_state(&s), "mask=causal&view=wqk");
    script_gives(&s, "Ctrl+Z", "seed=7");
}
