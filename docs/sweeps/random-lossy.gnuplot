set terminal pngcairo noenhanced size 1548,580 font "sans,11"
set output "random-lossy.png"
set multiplot
set grid ytics lt 1 lw 1 lc rgb "#dddddd"
set label 1001 at screen 0.00904,0.96552 left font "sans,15" "Sweep: random networks with loss"
set label 1002 at screen 0.00904,0.92414 left tc rgb "#333333" "random-lossy:1 to random-lossy:50: the same with 0 to 1 % loss on each path; transfers of 8 s at the ceiling, with their start"
unset key
set datafile separator ","
set lmargin at screen 0.05943
set rmargin at screen 0.48837
set tmargin at screen 0.83793
set bmargin at screen 0.23793
set title "the head of the queue, on some path"
set xlabel "goodput / ceiling"
set ylabel "share of the networks with no more"
set xrange [0:1]
set yrange [0:1]
plot "random-lossy.csv" skip 1 every ::500::549 using 4:(1.0) smooth cnormal with lines lc rgb "#117733" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::550::599 using 4:(1.0) smooth cnormal with lines lc rgb "#aa4499" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::600::649 using 4:(1.0) smooth cnormal with lines lc rgb "#ddcc77" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::650::699 using 4:(1.0) smooth cnormal with lines lc rgb "#661100" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::700::749 using 4:(1.0) smooth cnormal with lines lc rgb "#009e73" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::750::799 using 4:(1.0) smooth cnormal with lines lc rgb "#e69f00" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::800::849 using 4:(1.0) smooth cnormal with lines lc rgb "#888888" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::0::49 using 4:(1.0) smooth cnormal with lines lc rgb "#000000" dt 2 lw 2, \
  "random-lossy.csv" skip 1 every ::50::99 using 4:(1.0) smooth cnormal with lines lc rgb "#d55e00" dt 1 lw 2.5, \
  "random-lossy.csv" skip 1 every ::100::149 using 4:(1.0) smooth cnormal with lines lc rgb "#cc79a7" dt 4 lw 2, \
  "random-lossy.csv" skip 1 every ::850::899 using 4:(1.0) smooth cnormal with lines lc rgb "#8c510a" dt 3 lw 2.5
unset label 1001
unset label 1002
set lmargin at screen 0.55039
set rmargin at screen 0.97933
set tmargin at screen 0.83793
set bmargin at screen 0.23793
set title "later data ahead on slow paths"
set xlabel "goodput / ceiling"
set ylabel "share of the networks with no more"
set xrange [0:1]
set yrange [0:1]
plot "random-lossy.csv" skip 1 every ::150::199 using 4:(1.0) smooth cnormal with lines lc rgb "#56b4e9" dt 1 lw 5, \
  "random-lossy.csv" skip 1 every ::200::249 using 4:(1.0) smooth cnormal with lines lc rgb "#0072b2" dt 1 lw 3, \
  "random-lossy.csv" skip 1 every ::250::299 using 4:(1.0) smooth cnormal with lines lc rgb "#882255" dt 1 lw 3, \
  "random-lossy.csv" skip 1 every ::300::349 using 4:(1.0) smooth cnormal with lines lc rgb "#44aa99" dt 2 lw 2, \
  "random-lossy.csv" skip 1 every ::350::399 using 4:(1.0) smooth cnormal with lines lc rgb "#332288" dt 2 lw 2, \
  "random-lossy.csv" skip 1 every ::400::449 using 4:(1.0) smooth cnormal with lines lc rgb "#44aa99" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::450::499 using 4:(1.0) smooth cnormal with lines lc rgb "#332288" dt 1 lw 2, \
  "random-lossy.csv" skip 1 every ::0::49 using 4:(1.0) smooth cnormal with lines lc rgb "#000000" dt 2 lw 2, \
  "random-lossy.csv" skip 1 every ::50::99 using 4:(1.0) smooth cnormal with lines lc rgb "#d55e00" dt 1 lw 2.5, \
  "random-lossy.csv" skip 1 every ::100::149 using 4:(1.0) smooth cnormal with lines lc rgb "#cc79a7" dt 4 lw 2, \
  "random-lossy.csv" skip 1 every ::850::899 using 4:(1.0) smooth cnormal with lines lc rgb "#8c510a" dt 3 lw 2.5
unset logscale
unset offsets
unset label 1001
unset label 1002
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset grid
unset logscale
set lmargin at screen 0.00904
set rmargin at screen 0.99096
set tmargin at screen 0.13793
set bmargin at screen 0.001
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5,0.06897 center center horizontal Left reverse samplen 3 width 2
plot '+' using 1:(2) with lines lc rgb "#000000" dt 2 lw 2 title "stock", \
  '+' using 1:(2) with lines lc rgb "#d55e00" dt 1 lw 2.5 title "arrival", \
  '+' using 1:(2) with lines lc rgb "#cc79a7" dt 4 lw 2 title "auto", \
  '+' using 1:(2) with lines lc rgb "#56b4e9" dt 1 lw 5 title "lcm", \
  '+' using 1:(2) with lines lc rgb "#0072b2" dt 1 lw 3 title "osia", \
  '+' using 1:(2) with lines lc rgb "#882255" dt 1 lw 3 title "bulk", \
  '+' using 1:(2) with lines lc rgb "#44aa99" dt 2 lw 2 title "fps", \
  '+' using 1:(2) with lines lc rgb "#332288" dt 2 lw 2 title "f2p", \
  '+' using 1:(2) with lines lc rgb "#44aa99" dt 1 lw 2 title "fps+ocps", \
  '+' using 1:(2) with lines lc rgb "#332288" dt 1 lw 2 title "f2p+ocps", \
  '+' using 1:(2) with lines lc rgb "#117733" dt 1 lw 2 title "minrtt", \
  '+' using 1:(2) with lines lc rgb "#aa4499" dt 1 lw 2 title "blest", \
  '+' using 1:(2) with lines lc rgb "#ddcc77" dt 1 lw 2 title "ecf", \
  '+' using 1:(2) with lines lc rgb "#661100" dt 1 lw 2 title "redundant", \
  '+' using 1:(2) with lines lc rgb "#009e73" dt 1 lw 2 title "flow", \
  '+' using 1:(2) with lines lc rgb "#e69f00" dt 1 lw 2 title "cwnd", \
  '+' using 1:(2) with lines lc rgb "#888888" dt 1 lw 2 title "rr", \
  '+' using 1:(2) with lines lc rgb "#8c510a" dt 3 lw 2.5 title "best path"
unset multiplot
